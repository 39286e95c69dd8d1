import { connectSql } from '@parley/db';

import { answerTo } from './receiver.ts';

/** A message to a bot, or one that mentions it, that was acknowledged. */
export interface Question {
  text: string;
  /** Of one place, questions reach the service in the order in which they were asked. */
  place: string;
}

export interface WebhookVerdict {
  /** Questions that never reached the service. */
  webhooksLost: number;
  /** Questions that reached the service after a later one of their place. */
  webhooksReordered: number;
  /** Answers of the service that the bot did not post, or posted more than once. */
  answersLost: number;
  answersRepeated: number;
}

/** Compares what was asked with what the service took, and with what its bot said. */
export function checkWebhooks(
  questions: readonly Question[],
  taken: readonly string[],
  answers: ReadonlyMap<string, number>,
): WebhookVerdict {
  const verdict = { webhooksLost: 0, webhooksReordered: 0, answersLost: 0, answersRepeated: 0 };
  // A question may be taken again if its answer was lost on the way; what counts is when it was taken first.
  const order = new Map([...new Set(taken)].map((text, index) => [text, index]));
  const latest = new Map<string, number>();
  for (const { text, place } of questions) {
    const index = order.get(text);
    if (index === undefined) verdict.webhooksLost += 1;
    else {
      if (index < (latest.get(place) ?? 0)) verdict.webhooksReordered += 1;
      latest.set(place, Math.max(index, latest.get(place) ?? 0));
    }
    const said = answers.get(answerTo(text)) ?? 0;
    if (said === 0) verdict.answersLost += 1;
    if (said > 1) verdict.answersRepeated += 1;
  }
  return verdict;
}

/** Returns the questions that are messages. */
export async function keptQuestions(
  databaseUrl: string,
  questions: readonly Question[],
): Promise<Question[]> {
  const sql = connectSql({ url: databaseUrl, name: 'checker', max: 1 });
  try {
    const rows = await sql<{ text: string }[]>`
      select local_id as text from messages where local_id = any(${questions.map(({ text }) => text)}::text[])`;
    const kept = new Set(rows.map(({ text }) => text));
    return questions.filter(({ text }) => kept.has(text));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** How often bots said each of their answers. */
export async function readAnswers(databaseUrl: string): Promise<Map<string, number>> {
  const sql = connectSql({ url: databaseUrl, name: 'checker', max: 1 });
  try {
    const rows = await sql<{ content: string; count: string }[]>`
      select content, count(*) from messages where starts_with(content, ${answerTo('')}) group by content`;
    return new Map(rows.map(({ content, count }) => [content, Number(count)]));
  } finally {
    await sql.end({ timeout: 5 });
  }
}
