import { ApiError } from '@parley/protocol';

/** What another product has sent to an integration. */
export interface Delivery {
  /** The JSON of the body. */
  payload: unknown;
  /** A header by its name, in any case. */
  readonly header: (name: string) => string | undefined;
}

/** A message that tells of an event. */
export interface Notice {
  /** The event's type, as it can be chosen by `only_events` and `exclude_events`. */
  event: string;
  topic: string;
  /** In Markdown. */
  content: string;
}

/** An event of a type that the integration does not tell of. */
export interface Unsupported {
  unsupported: string;
}

/** Translates what one product sends into messages. */
export interface Integration {
  /** Its name in the address that the product calls. */
  name: string;
  displayName: string;
  /** The types of events that it tells of; null if all it is sent is of one kind. */
  events: readonly string[] | null;
  /**
   * Reads a delivery. Pure.
   *
   * @throws {z.ZodError} for a payload of another form than the product's
   * @throws MISSING_HTTP_EVENT_HEADER when the product always sends a header and this delivery has none
   */
  readonly read: (delivery: Delivery) => Notice | Unsupported;
  /** What the product reads in the reply, beside the fields of the API: of a success, or of a refusal with a code. */
  readonly besides?: (refusal: string | null) => object;
}

/**
 * Returns the value of a header that the product sends with every delivery.
 *
 * @throws MISSING_HTTP_EVENT_HEADER
 */
export function requiredHeader({ header }: Delivery, name: string): string {
  const value = header(name);
  if (!value) {
    throw new ApiError('MISSING_HTTP_EVENT_HEADER', `The header '${name}' is missing.`, {
      header: name,
    });
  }
  return value;
}
