/** What the command line uses of the client. It comes in by this door only. */
export {
  ApiError,
  type CallOptions,
  ConnectionError,
  foldName,
  PreconditionFailedError,
  Taskwright,
  TaskwrightError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
} from '../../client/src/index.ts'
