import { own } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { listNames, locale } from '../../strings/language.ts';
import { Html } from '../content/index.ts';
import {
  type ExternalAccounts,
  type ProfileField,
  accountAddress,
  optionOf,
  peopleIn,
} from './profile-values.ts';

interface CustomValueProps {
  field: ProfileField;
  value: string;
  /** As the server has rendered it, where it is a text. */
  rendered: string | undefined;
}

/** The numbers of the types that are shown otherwise than as they are written. */
const types = { long: 2, choice: 3, date: 4, link: 5, people: 6, account: 7 } as const;

/** What somebody has said in a field: a text, an option, a day, a link or people. */
export function CustomValue({ field, value, rendered }: CustomValueProps) {
  const { type } = field;
  if (type === types.link && /^https?:\/\//i.test(value)) return <Outside href={value}>{value}</Outside>;
  if (type === types.account) {
    const href = accountAddress(field, value, own('realm_default_external_accounts') as ExternalAccounts);
    return href === null ? <>{value}</> : <Outside href={href}>{value}</Outside>;
  }
  if (type === types.date) return <>{dayOf(value)}</>;
  if (type === types.people) return <>{listNames(peopleIn(value).map(nameOfUser))}</>;
  if (type === types.choice) return <>{optionOf(field, value)}</>;
  return rendered ? <Html html={rendered} /> : <>{value}</>;
}

const Outside = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);

/** The day that a field names, as the reader writes days. */
function dayOf(value: string): string {
  const at = new Date(`${value}T12:00`);
  return Number.isNaN(at.getTime()) ? value : at.toLocaleDateString(locale(), { dateStyle: 'long' });
}
