import type { webhookDeliveries } from '@parley/actions';
import { z } from 'zod';

/** What a service wants to have said: something, nothing, or what cannot be read, with the reason. */
export type ReadReply = { reply: webhookDeliveries.WebhookReply | null } | { problem: string };

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Generic = z.object({
  response_not_required: z.boolean().optional(),
  content: text.nullish(),
  /** The older name of `content`. */
  response_string: text.nullish(),
  widget_content: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

const Slack = z.object({ text: text.nullish() });

/**
 * Reads the body of a reply in the format of the service. A body that is empty, or the empty JSON string, asks for
 * nothing, and so does one without a text.
 */
export function readReply(body: string, isSlack: boolean): ReadReply {
  if (body.trim() === '') return { reply: null };
  const json = parseJson(body);
  if (json === undefined) return { problem: 'the reply of the service is not JSON' };
  if (json === '') return { reply: null };
  const read = isSlack ? readSlack(json) : readGeneric(json);
  return read ?? { problem: 'the reply of the service is not in the expected format' };
}

function readGeneric(json: unknown): ReadReply | undefined {
  const { data } = Generic.safeParse(json);
  if (!data) return undefined;
  if (data.response_not_required === true) return { reply: null };
  const { widget_content: widget } = data;
  return replyOf(
    data.content ?? data.response_string,
    typeof widget === 'object' && widget !== null ? JSON.stringify(widget) : widget,
  );
}

function readSlack(json: unknown): ReadReply | undefined {
  const { data } = Slack.safeParse(json);
  return data && replyOf(data.text);
}

const replyOf = (content: string | null | undefined, widget?: string | null): ReadReply =>
  content === null || content === undefined || content.trim() === ''
    ? { reply: null }
    : { reply: { content, widget: widget ?? undefined } };

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
