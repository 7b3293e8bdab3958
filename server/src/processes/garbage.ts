import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect garbage when the heap has grown by half since the last collection. By default Node lets it grow to four times
 * that size if the machine has memory. After a burst of long responses most of a server's memory was garbage.
 */
export const limitGarbage = () => setFlagsFromString('--heap-growing-percent=50')
