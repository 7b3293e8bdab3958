import type pino from 'pino'

const warning = 40
const windowMs = 1_000
const mostEqualLines = 10
// after the first ten, one of each hundred is written, so that the log shows that they continue
const oneOf = 100
const mostKinds = 2_000

interface LineCount {
  written: number
  leftOut: number
}

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>

/**
 * Drops repeated lines: a warning, an error, or a refused or failed request, after its tenth time in a second. It still writes
 * each hundredth of them, and one more line when the second is over. `leftOut` in these is the number of dropped lines before.
 */
export function sampleRepeatedLines(): LogMethod {
  const kinds = new Map<string, LineCount>()
  return function (args, method, level) {
    const refused = refusedRequest(args[0])
    if (level < warning && refused === undefined) return method.apply(this, args)
    const sentence = args.findLast((argument) => typeof argument === 'string') ?? ''
    const kind = refused ? `${refused.status} ${refused.route} ${refused.orgId}` : kindOf(sentence, args[0])
    const [said, line] = refused ? [refused, 'answered like others'] : [{}, kind]
    const counted = kinds.get(kind) ?? open(kind, (leftOut) => method.call(this, { ...said, leftOut }, line))
    if (counted.written < mostEqualLines) {
      counted.written++
      return method.apply(this, args)
    }
    if (++counted.leftOut < oneOf) return
    const leftOut = counted.leftOut - 1
    counted.leftOut = 0
    method.call(this, { ...(args[0] as object), leftOut }, sentence)
  }

  function open(kind: string, tell: (leftOut: number) => void): LineCount {
    const counted = { written: 0, leftOut: 0 }
    // bound the memory: if there are more kinds, their lines are not counted and all are written
    if (kinds.size >= mostKinds) return counted
    kinds.set(kind, counted)
    setTimeout(() => {
      kinds.delete(kind)
      if (counted.leftOut > 0) tell(counted.leftOut)
    }, windowMs).unref()
    return counted
  }
}

interface RefusedRequest {
  status: number
  route?: string
  orgId?: string
}

/** The fields by which lines of refused or failed requests are alike. */
function refusedRequest(said: unknown): RefusedRequest | undefined {
  const { status = 0, route, orgId } = asObject(said) as Partial<RefusedRequest>
  return status >= 400 ? { status, ...(route && { route }), ...(orgId && { orgId }) } : undefined
}

function kindOf(sentence: string, said: unknown): string {
  const { err } = asObject(said) as { err?: unknown }
  if (!(err instanceof Error)) return sentence
  return `${sentence} (${'code' in err ? err.code : err.name})`
}

const asObject = (said: unknown): object => (typeof said === 'object' && said !== null ? said : {})
