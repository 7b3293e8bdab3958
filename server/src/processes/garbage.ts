import { setFlagsFromString } from 'node:v8'

/**
 * From now on the heap of this process is cleared whenever it has grown by half since it was cleared the last time. Node lets it
 * grow to four times that where the machine has memory: after a burst of long answers most of what a server held was garbage.
 */
export const limitGarbage = () => setFlagsFromString('--heap-growing-percent=50')
