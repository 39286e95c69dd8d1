import { ApiError } from '@parley/protocol';

import type { Signature } from './signatures.ts';

/** What another product has sent to an integration. */
export interface Delivery {
  /** The JSON of the body. */
  payload: unknown;
  /** A header by its name, in any case. */
  readonly header: (name: string) => string | undefined;
  /** What the address says of the form of messages, where the integration reads it. */
  template?: string | undefined;
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

export type Told = Omit<Notice, 'event'>;

/** A type of events that one may choose or leave out. */
export interface EventKind {
  /** What has happened, in a few words for whoever chooses. */
  description: string;
  /**
   * Reads the payload. Null for an event that nobody needs to be told of.
   *
   * @throws {z.ZodError} for a payload of another form than the product's
   */
  readonly tell: (payload: unknown, template: string | undefined) => Told | null;
}

/** Payloads as the product documents them, each under a title of its own and with its type of events. */
export type Samples = Readonly<Record<string, readonly [event: string, payload: object]>>;

/** What the catalogue groups products by. */
type Field = 'code' | 'alerts' | 'work' | 'anything';

/** How one product tells of what happens in it: all that is known of the product. */
export interface Declaration {
  /** Its name in the address that the product calls. */
  name: string;
  displayName: string;
  field: Field;
  /** Where the product says what it sends. */
  documentation: string;
  /** Where in the product the address is entered, in the words of its menus. */
  where: string;
  /** What one writes there, where the product leaves the body to its users. */
  body?: string;
  /** What the address may say beside the usual, by the name of the parameter. */
  options?: Readonly<Record<'template', string>>;
  /** How the product signs what it sends. */
  signature?: Signature;
  /** How the type of an event is told: by a header that the product always sends, or from the payload. */
  event: { header: string } | ((payload: unknown) => string);
  /** What of an event of a type nobody is told of, as programs may want to know. */
  readonly detail?: (payload: unknown) => string | undefined;
  events: Readonly<Record<string, EventKind>>;
  samples: Samples;
  /** What the product reads in the reply, beside the fields of the API: of a success, or of a refusal with a code. */
  readonly besides?: (refusal: string | null) => object;
}

/** Translates what one product sends into messages. */
export interface Integration extends Declaration {
  /**
   * Reads a delivery. Pure.
   *
   * @throws {z.ZodError} for a payload of another form than the product's
   * @throws MISSING_HTTP_EVENT_HEADER when the product always sends a header and this delivery has none
   */
  readonly read: (delivery: Delivery) => Notice | Unsupported;
}

/** Returns the value of a header that the product sends with every delivery. @throws MISSING_HTTP_EVENT_HEADER */
function requiredHeader({ header }: Delivery, name: string): string {
  const value = header(name);
  if (value) return value;
  throw new ApiError('MISSING_HTTP_EVENT_HEADER', `The header '${name}' is missing.`, { header: name });
}

const eventLengthMax = 200;

/** Makes an integration of its declaration. */
export const integration = (declared: Declaration): Integration => ({
  ...declared,
  read(delivery) {
    const { event: by, events, detail } = declared;
    const event = typeof by === 'function' ? by(delivery.payload) : requiredHeader(delivery, by.header);
    const unsupported = event.slice(0, eventLengthMax);
    const kind = Object.hasOwn(events, event) ? events[event] : undefined;
    if (!kind) return { unsupported };
    const told = kind.tell(delivery.payload, delivery.template);
    if (told) return { event, ...told };
    return { unsupported: detail ? `${unsupported}:${detail(delivery.payload) ?? ''}` : unsupported };
  },
});

/** Declares types of events that one function tells of, by what they are called and described as. */
export const kinds = (
  descriptions: Readonly<Record<string, string>>,
  tell: (payload: unknown, event: string) => Told | null,
): Record<string, EventKind> =>
  Object.fromEntries(
    Object.entries(descriptions).map(([event, description]) => [
      event,
      { description, tell: (payload) => tell(payload, event) },
    ]),
  );
