import { BlockList, isIP } from 'node:net'

/** Whose `X-Forwarded-For` is believed: that of a number of hops, or that of proxies with these addresses. */
export type TrustProxy = { hops: number } | { proxies: BlockList }

/**
 * Reads `TRUST_PROXY`: a number of hops, or a list of addresses and CIDR blocks, separated by commas.
 * @throws Error that names the entry
 */
export function parseTrustProxy (text: string | undefined): TrustProxy | null {
  if (text === undefined) return null
  if (/^(0|[1-9]\d{0,2})$/.test(text)) return { hops: Number(text) }
  const proxies = new BlockList()
  for (const entry of text.split(',').map(entry => entry.trim())) addEntry(proxies, entry)
  return { proxies }
}

function addEntry (proxies: BlockList, entry: string): void {
  const [, address = '', bits] = entry.match(/^([^/]*)(?:\/(\d{1,3}))?$/) ?? []
  const family = isIP(address)
  const maxBits = family === 4 ? 32 : 128
  if (family === 0 || (bits !== undefined && Number(bits) > maxBits)) {
    throw new Error(`\`${entry}\` is no number of hops (0 to 999), address or CIDR block.`)
  }
  proxies.addSubnet(address, bits === undefined ? maxBits : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * The address of the caller.
 *
 * With hops: the n-th address from the right of `X-Forwarded-For`, the socket's if there are fewer. With proxies: from
 * the socket on to the left, the first address that is none of them; the leftmost if all are.
 */
export function callerAddress (
  socketAddress: string, forwardedFor: string | undefined, trust: TrustProxy | null
): string {
  const socket = plainAddress(socketAddress)
  if (trust === null || forwardedFor === undefined) return socket
  const forwarded = forwardedFor.split(',').map(entry => plainAddress(entry.trim()))
  if ('hops' in trust) {
    const address = trust.hops === 0 ? undefined : forwarded.at(-trust.hops)
    return address !== undefined && isIP(address) !== 0 ? address : socket
  }
  let caller = socket
  while (isTrusted(caller, trust.proxies)) {
    const before = forwarded.pop()
    if (before === undefined || isIP(before) === 0) break
    caller = before
  }
  return caller
}

function isTrusted (address: string, proxies: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** An IPv4 address that a dual-stack socket gives as IPv6 is the same caller. */
function plainAddress (address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}
