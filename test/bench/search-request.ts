import { encode } from '../support/http.ts';

export type Narrow = [operator: string, operand: unknown][];

/** Asks a node for the newest messages of a narrow; null where it is too busy. */
export async function search(port: number, authorization: string, narrow: Narrow) {
  const fields = encode({ anchor: 'newest', num_before: 100, num_after: 0, narrow });
  const reply = await fetch(`http://localhost:${port}/api/v1/messages?${fields}`, {
    headers: { Authorization: authorization },
  });
  const body = await reply.text();
  if (reply.status === 503) return null;
  if (!reply.ok) throw new Error(`A search failed: ${body.slice(0, 300)}`);
  // Safe: it is what the endpoint answers.
  return JSON.parse(body) as { messages: { id: number }[] };
}
