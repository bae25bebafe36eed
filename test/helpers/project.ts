import path from 'node:path'

/** The folder of the project. Tests run as they are compiled, from `dist/`. */
export const PROJECT = path.resolve(import.meta.dirname, '../../..')

/** What the service serves by default. */
export const FIXTURES = path.join(PROJECT, 'fixtures')

/** What `npm start` runs. */
export const SERVER = path.join(PROJECT, 'dist/src/server.js')
