import http from 'node:http'

const PATIENCE_MS = 60_000

/** Asks on kept connections. `abortAfterMs`: leaves, and resolves to null, if there is no answer by then. */
export function makeRequest (port, agent) {
  return async (target, { method = 'GET', abortAfterMs } = {}) => {
    return await new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port, path: target, method, agent }, response => {
        const chunks = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', error => abortAfterMs === undefined ? reject(error) : resolve(null))
        response.on('end', () => {
          clearTimeout(timer)
          const bytes = Buffer.concat(chunks)
          const isJson = response.headers['content-type']?.includes('json')
          const { statusCode: status, headers } = response
          resolve({ status, headers, bytes, body: isJson ? JSON.parse(bytes) : null })
        })
      })
      const timer = setTimeout(() => {
        request.destroy()
        if (abortAfterMs !== undefined) resolve(null)
        else reject(new Error(`${method} ${target}: no answer in ${PATIENCE_MS} ms`))
      }, abortAfterMs ?? PATIENCE_MS)
      request.on('error', error => {
        clearTimeout(timer)
        if (abortAfterMs === undefined) reject(error)
        else resolve(null)
      })
      request.end()
    })
  }
}
