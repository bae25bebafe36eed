/** The most bytes of content that a page may hold, by its unit. */
const MAX_CONTENT_BYTES: Record<string, number> = { lines: 1_048_576, chars: 32_768, bytes: 1_048_576, tail: 32_768 }
/** Escaped as JSON a byte takes six at most; members and headers take the rest. */
const MAX_ESCAPE = 6
const MAX_MEMBERS_BYTES = 65_536

/** Looks at every response that passes: none may exceed its bound. */
export class Ledger {
  responses = 0
  bodyBytes = 0
  readonly statuses: Record<string, number> = {}
  readonly largestContent: Record<string, number> = {}
  readonly violations: string[] = []

  /** `fetch`, observed. The response that it gives is complete. */
  readonly fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    const body = Buffer.from(await response.arrayBuffer())
    this.#note(response, body)
    const { status, headers } = response
    const copy = new Response(body, { status, headers })
    Object.defineProperty(copy, 'url', { value: response.url })
    return copy
  }

  #note ({ url, status, headers }: Response, body: Buffer): void {
    this.responses++
    this.bodyBytes += body.length
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (status !== 200) {
      if (body.length > MAX_MEMBERS_BYTES) this.violations.push(`${url}: a problem of ${body.length} bytes`)
      return
    }
    const page = pageOf(headers, body)
    if (page === null) return
    const { unit, contentBytes } = page
    this.largestContent[unit] = Math.max(this.largestContent[unit] ?? 0, contentBytes)
    const bound = MAX_CONTENT_BYTES[unit] ?? 0
    // The text form has the last line feed too, and what marks clipped lines.
    if (contentBytes > bound + 1) this.violations.push(`${url}: ${contentBytes} bytes of content by ${unit}`)
    if (body.length > MAX_ESCAPE * bound + MAX_MEMBERS_BYTES) this.violations.push(`${url}: ${body.length} bytes`)
  }
}

function pageOf (headers: Headers, body: Buffer): { unit: string, contentBytes: number } | null {
  const unit = headers.get('artifact-unit')
  if (unit !== null) return { unit, contentBytes: body.length }
  if (!headers.get('content-type')?.startsWith('application/json')) return null
  const page = JSON.parse(body.toString())
  return typeof page.unit === 'string' ? { unit: page.unit, contentBytes: Buffer.byteLength(page.content) } : null
}
