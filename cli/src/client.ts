/** The exports of the client that tw uses. All imports of the client go through this file. */
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
