import { connectSql } from '@parley/db';
import { pause } from '@parley/kit';

/** A message that was scheduled, and acknowledged. Its content is its own. */
export interface ScheduledSend {
  content: string;
  dueMs: number;
  /** When that was acknowledged. */
  scheduledMs?: number;
  /** When there was a worker that could send it, if that was later. */
  possibleMs?: number;
}

export interface ScheduleVerdict {
  /** Scheduled messages that are not among the messages. */
  scheduledLost: number;
  /** Scheduled messages that were sent more than once. */
  scheduledRepeated: number;
  /** Scheduled messages that are neither sent nor failed, or were sent and go on waiting. */
  scheduledUnended: number;
  /** Scheduled messages of one author to one place that were sent in another order than that of their times. */
  scheduledReordered: number;
  /** How long after it was their time, and a worker could send them, messages were sent, in ms. */
  latenessMs: { p50: number; p99: number; max: number };
}

interface Sent {
  content: string;
  atMs: number;
  /** The author, and the conversation and topic. */
  place: string;
}

/** Compares what was scheduled with the messages. */
export function checkSchedule(
  scheduled: readonly ScheduledSend[],
  sent: readonly Sent[],
  waiting: ReadonlySet<string>,
): ScheduleVerdict {
  const byContent = new Map<string, Sent[]>();
  for (const one of sent) byContent.set(one.content, [...(byContent.get(one.content) ?? []), one]);
  const verdict = { scheduledLost: 0, scheduledRepeated: 0, scheduledUnended: 0, scheduledReordered: 0 };
  const lateness: number[] = [];
  for (const { content, dueMs, possibleMs = 0 } of scheduled) {
    const [first, ...more] = byContent.get(content) ?? [];
    if (!first) verdict.scheduledLost += 1;
    else lateness.push(Math.max(0, first.atMs - Math.max(dueMs, possibleMs)));
    if (more.length > 0) verdict.scheduledRepeated += 1;
    if (waiting.has(content)) verdict.scheduledUnended += 1;
  }
  const dueMs = new Map(scheduled.map((one) => [one.content, one.dueMs]));
  const latest = new Map<string, number>();
  for (const { content, place } of sent) {
    const due = dueMs.get(content);
    if (due === undefined) continue;
    if (due < (latest.get(place) ?? 0)) verdict.scheduledReordered += 1;
    latest.set(place, Math.max(due, latest.get(place) ?? 0));
  }
  lateness.sort((a, b) => a - b);
  const at = (part: number) =>
    lateness[Math.min(lateness.length - 1, Math.floor(lateness.length * part))] ?? 0;
  return { ...verdict, latenessMs: { p50: at(0.5), p99: at(0.99), max: at(1) } };
}

interface Recorded {
  sent: Sent[];
  waiting: Set<string>;
}

/** What Postgres holds of scheduled messages whose contents begin like this: those that were sent, in their order, and those that wait. */
export async function readSchedule(databaseUrl: string, prefix: string): Promise<Recorded> {
  const sql = connectSql({ url: databaseUrl, name: 'checker', max: 1 });
  try {
    const sent = await sql<Sent[]>`
      select content, extract(epoch from sent_at)::float8 * 1000 as "atMs",
        concat_ws(' ', sender_id, conversation_id, topic_id) as place
      from messages where starts_with(content, ${prefix}) order by id`;
    const waiting = await sql<{ content: string }[]>`
      select content from scheduled_messages where sent_at is null and starts_with(content, ${prefix})`;
    return { sent, waiting: new Set(waiting.map(({ content }) => content)) };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Resolves when nothing waits any more, or fewer and fewer did not for that long. */
export async function untilNothingWaits(
  silentMs: number,
  countWaiting: () => Promise<number>,
): Promise<void> {
  let [waiting, changedMs] = [Number.POSITIVE_INFINITY, Date.now()];
  while (waiting > 0 && Date.now() < changedMs + silentMs) {
    const now = await countWaiting();
    if (now < waiting) changedMs = Date.now();
    waiting = now;
    if (waiting > 0) await pause(200);
  }
}

/** Resolves when so many of the scheduled messages with this prefix are sent. */
export async function untilScheduledAreSent(
  databaseUrl: string,
  { prefix, wanted, silentMs }: { prefix: string; wanted: number; silentMs: number },
): Promise<void> {
  const sql = connectSql({ url: databaseUrl, name: 'checker', max: 1 });
  try {
    await untilNothingWaits(silentMs, async () => {
      const [{ sent } = { sent: 0 }] = await sql<{ sent: number }[]>`
        select count(*)::int as sent from scheduled_messages
        where sent_at is not null and starts_with(content, ${prefix})`;
      return Math.max(0, wanted - sent);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
