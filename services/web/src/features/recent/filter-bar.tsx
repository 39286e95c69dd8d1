import { FilterChoice, FilterText } from '../../base/forms/filter-fields.tsx';
import { commonText } from '../../strings/common.ts';
import { recentText } from '../../strings/recent.ts';
import type { Filters } from './conversations.ts';

interface FilterBarProps {
  filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

const kinds = { all: recentText.all, topics: recentText.topics, direct: recentText.direct } as const;

const boxes = {
  isUnread: recentText.unread,
  isOwn: recentText.participated,
  withMuted: recentText.includeMuted,
} as const;

/** Lets somebody choose which conversations are shown. */
export const FilterBar = ({ filters, onChange }: FilterBarProps) => (
  <div class="recent-filters" role="group" aria-label={recentText.filters}>
    <FilterChoice
      label={recentText.kind}
      choices={kinds}
      chosen={filters.kind}
      onChoose={(kind) => onChange({ kind })}
    />
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
    <FilterText
      label={recentText.search}
      placeholder={commonText.search}
      text={filters.text}
      onText={(text) => onChange({ text })}
    />
  </div>
);
