import fs from 'node:fs'

const { scripts } = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The options of node that `npm start` sets: what is measured is what is shipped. */
export const START_FLAGS = scripts.start.split(' ').filter(word => word.startsWith('--'))
