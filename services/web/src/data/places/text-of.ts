import type { Term } from '../../base/router/narrow.ts';
import { slice } from '../live/state.ts';
import { nameOfUser } from '../people/names.ts';
import { namesOf, topicName } from './title.ts';

const idsOf = (operand: string) => /^[\d,]+/.exec(operand)?.[0].split(',').filter(Boolean).map(Number) ?? [];

/** A term as people read it: with names instead of ids. */
export function textOf({ operator, operand, negated }: Term): string {
  const text = operator === 'search' ? operand : `${operator}: ${named(operator, operand)}`;
  return negated ? `-${text}` : text;
}

function named(operator: string, operand: string): string {
  const ids = idsOf(operand);
  const [id] = ids;
  if (operator === 'topic') return topicName(operand);
  if (id === undefined) return operand;
  if (operator === 'channel') return slice('channels').get(id)?.name ?? operand;
  if (operator === 'dm') return namesOf(ids);
  if (operator === 'sender' || operator === 'mentions' || operator === 'dm-including') return nameOfUser(id);
  return operand;
}
