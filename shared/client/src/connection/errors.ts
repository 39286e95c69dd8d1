/** The server answered, and the answer is no. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** The HTTP status. */
  readonly status: number;
  /** The code of the contract, such as BAD_NARROW; empty where the reply is not the API's own. */
  readonly code: string;
  /** All fields of the reply. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** How long the server asks to wait before the next try; null where it says nothing. */
  readonly retryAfterMs: number | null;

  constructor(status: number, fields: Record<string, unknown>, retryAfterMs: number | null) {
    super(typeof fields['msg'] === 'string' ? fields['msg'] : `The server answered with ${status}.`);
    this.status = status;
    this.code = typeof fields['code'] === 'string' ? fields['code'] : '';
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came: whether the server has done what it was asked is not known. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause });
  }
}

const transientStatuses = new Set([429, 502, 503, 504]);

/** Returns whether the same request may succeed later. */
export const isTransient = (error: unknown): error is RequestFailed | Unreachable =>
  error instanceof Unreachable || (error instanceof RequestFailed && transientStatuses.has(error.status));

/** Returns whether nothing that these credentials ask will be answered any more. */
export const isSignedOut = (error: unknown): error is RequestFailed =>
  error instanceof RequestFailed && (error.status === 401 || error.code === 'CSRF_FAILED');
