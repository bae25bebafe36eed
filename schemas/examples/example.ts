/**
 * A true answer of the service to a request about the files in `fixtures/`. They stand in the order in which they were
 * asked for: those of tails build on those before.
 */
export interface Example {
  operationId: string
  name: string
  summary: string
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  status: number
  /** Media type, without its parameters. */
  type: string
  body: unknown
}
