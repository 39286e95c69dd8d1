import {
  type PlainReasonCode,
  type ReasonCode,
  type ReasonValues,
  type SentenceValues,
  reasonSentence,
} from '@parley/protocol';

/** A code with its values. */
export interface CodedReason {
  code: ReasonCode;
  values: SentenceValues;
}

/** Why something becomes of a thing. */
export type Why = PlainReasonCode | CodedReason;

/** Returns a reason that has values. Texts that come from the archive are shown short, and cannot steer a terminal. */
export function because<Code extends ReasonCode>(code: Code, values: ReasonValues<Code>): CodedReason {
  const shown = Object.entries<string | number>(values).map(
    ([name, value]) => [name, typeof value === 'string' ? shownText(value) : value] as const,
  );
  return { code, values: Object.fromEntries(shown) };
}

/** A half of a pair of surrogates and a character 0 are also what Postgres does not take. */
const shownText = (text: string) => text.slice(0, 200).replaceAll(/[\p{Cc}\p{Cs}]/gu, '');

/** Returns a reason with its sentence in English. */
export function explain(why: Why): CodedReason & { text: string } {
  const reason = typeof why === 'string' ? { code: why, values: {} } : why;
  return { ...reason, text: reasonSentence(reason) };
}
