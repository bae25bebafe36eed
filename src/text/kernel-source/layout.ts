// Memory: one page for the data of this module, the input (one page), the escaped output (six pages: every byte may
// become \u00xx) and one page that whole-vector loads and stores may run into.

export const INPUT: usize = 0x10000
export const OUTPUT: usize = 0x20000

export const UTF_8 = 0
export const UTF_16LE = 1
export const UTF_16BE = 2

/** UTF-8 whose characters are all well-formed, less an incomplete one at the end. */
export const VALID_UTF_8 = 3
