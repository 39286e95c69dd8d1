/** Returns the same reading, of which all who ask while it is under way have the one answer: a scrape reads gauges at once. */
export function shared<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<Answer> | undefined;
  return () => (underWay ??= read().finally(() => (underWay = undefined)));
}
