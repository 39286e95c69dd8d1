import type { Filters } from './conversations.ts';

interface FilterBarProps {
  filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

const kinds = { all: 'All', topics: 'Topics', direct: 'Direct messages' } as const;

const boxes = {
  isUnread: 'Unread',
  isOwn: 'With me',
  withMuted: 'Muted too',
} as const;

/** Which conversations are shown. */
export const FilterBar = ({ filters, onChange }: FilterBarProps) => (
  <div class="recent-filters" role="group" aria-label="Filters">
    <select
      aria-label="Kind"
      value={filters.kind}
      onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as Filters['kind'] })}
    >
      {Object.entries(kinds).map(([kind, name]) => (
        <option key={kind} value={kind}>
          {name}
        </option>
      ))}
    </select>
    {(Object.keys(boxes) as (keyof typeof boxes)[]).map((name) => (
      <label key={name}>
        <input
          type="checkbox"
          checked={filters[name]}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
        />{' '}
        {boxes[name]}
      </label>
    ))}
    <input
      type="search"
      aria-label="Search conversations"
      placeholder="Search"
      value={filters.text}
      onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
    />
  </div>
);
