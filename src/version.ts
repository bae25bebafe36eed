import fs from 'node:fs'

/** Of package.json, which stands one folder above the sources and two above what is built from them. */
export const version: string = readVersion()

function readVersion (): string {
  const place = ['../package.json', '../../package.json'].map(path => new URL(path, import.meta.url)).find(url => fs.existsSync(url))!
  return JSON.parse(fs.readFileSync(place, 'utf8')).version
}
