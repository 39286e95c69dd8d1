import type { ErrorFields } from './error-fields.ts';

/** Every error code that Parley answers with, and its HTTP status. */
export const errorStatus = {
  BAD_REQUEST: 400,
  REQUEST_VARIABLE_MISSING: 400,
  REQUEST_VARIABLE_INVALID: 400,
  REQUEST_CONFUSING_VAR: 400,
  STREAM_DOES_NOT_EXIST: 400,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 400,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 400,
  CHANNEL_ALREADY_EXISTS: 409,
  INVALID_JSON: 400,
  /** What another product sent is not of the form that the product's payloads have. */
  ANOMALOUS_WEBHOOK_PAYLOAD: 400,
  MISSING_HTTP_EVENT_HEADER: 400,
  BAD_NARROW: 400,
  BAD_EVENT_QUEUE_ID: 400,
  REACTION_ALREADY_EXISTS: 400,
  REACTION_DOES_NOT_EXIST: 400,
  /** The account's role does not allow it. */
  UNAUTHORIZED_PRINCIPAL: 400,
  EXPECTATION_MISMATCH: 400,
  CANNOT_DEACTIVATE_GROUP_IN_USE: 400,
  CANNOT_DEACTIVATE_LAST_USER: 400,
  INVITATION_FAILED: 400,
  SYSTEM_GROUP_REQUIRED: 400,
  INVALID_PUSH_DEVICE_TOKEN: 400,
  /** The service does not know the device any more. */
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: 400,
  /** No device is registered for notifications that are encrypted from end to end. */
  NO_ACTIVE_PUSH_DEVICE: 400,
  /** The server is not set up for notifications that are encrypted from end to end. */
  PUSH_SERVICE_NOT_CONFIGURED: 400,
  BAD_IMAGE: 400,
  REALM_UPLOAD_QUOTA: 400,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 400,
  UNAUTHORIZED: 401,
  /** There are no credentials where some are needed. */
  UNAUTHENTICATED_USER: 401,
  /** An API key in an address is nobody's who may use it there. */
  INVALID_API_KEY: 401,
  AUTHENTICATION_FAILED: 401,
  PASSWORD_AUTH_DISABLED: 401,
  USER_DEACTIVATED: 401,
  REALM_DEACTIVATED: 401,
  /** A request with a session that no page of this site sent. */
  CSRF_FAILED: 403,
  /** Something has to be set up first, by whoever runs the server. */
  ADMIN_ACTION_REQUIRED: 403,
  NOT_FOUND: 404,
  NONEXISTENT_SUBDOMAIN: 404,
  RATE_LIMIT_HIT: 429,
  /** The service that carries notifications cannot be reached, or fails. */
  FAILED_TO_CONNECT_BOUNCER: 502,
  INTERNAL_SERVER_ERROR_ON_BOUNCER: 502,
  /** The service is starting or draining, or something it depends on is unavailable. The client should try again. */
  SERVER_NOT_READY: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

type ExtraOf<Code extends ErrorCode> = Code extends keyof ErrorFields ? ErrorFields[Code] : object;

/**
 * A refusal: the request was understood, and the answer is no. Everything else that is thrown is a bug and is
 * answered with 500.
 */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  /** The status of its code, but 404 for an object that does not exist. */
  readonly status: number;
  readonly extra: object;
  readonly headers: Record<string, string> = {};

  /** The refusal of a request for an object that does not exist, where the protocol has no code of its own for it. */
  static missing(msg: string): ApiError {
    return Object.assign(new ApiError('BAD_REQUEST', msg), { status: 404 });
  }

  constructor(
    code: Code,
    msg: string,
    ...[extra]: Code extends keyof ErrorFields ? [ExtraOf<Code>] : [object?]
  ) {
    super(msg);
    this.name = 'ApiError';
    this.code = code;
    this.status = errorStatus[code];
    this.extra = extra ?? {};
    if (code === 'SERVER_NOT_READY') this.headers['Retry-After'] = '1';
    if (this.status === 401) this.headers['WWW-Authenticate'] = 'Basic realm="parley"';
  }

  /** The same refusal in other words. */
  saying(msg: string): this {
    // Safe: it has all that this one has.
    return Object.create(this, { message: { value: msg } }) as this;
  }

  body() {
    return { result: 'error', msg: this.message, code: this.code, ...this.extra };
  }
}

export const realmDeactivated = () =>
  new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated.');

/** What a request would have to wait for. Operators see it; clients are told to come back. */
export type NotReadyReason =
  | 'database'
  | 'redis'
  | 'appends'
  | 'registrations'
  | 'reads'
  | 'texts'
  | 'bodies'
  | 'pictures'
  | 'uploads'
  | 'conflicts'
  | 'directory'
  | 'other';

export const notReady = (reason: NotReadyReason = 'other') =>
  Object.assign(new ApiError('SERVER_NOT_READY', 'The server is busy or starting. Please try again.'), {
    reason,
  });
