import { Picture } from '../pictures/picture.tsx';
import type { Suggestion } from './suggestion.ts';

interface OptionListProps {
  id: string;
  label: string;
  options: readonly Suggestion[];
  active: number;
  readonly onChoose: (option: Suggestion) => void;
}

/** Shows options beside a field that keeps the focus: its `aria-controls` and `aria-activedescendant` name them. */
export const OptionList = ({ id, label, options, active, onChoose }: OptionListProps) => (
  <div id={id} class="options" role="listbox" aria-label={label}>
    {options.map((option, index) => (
      // The keyboard stays in the field, which passes its keys on.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        key={option.key}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(option)}
      >
        {option.person && <Picture class="avatar avatar-20" alt="" size={20} {...option.person} />}
        {option.picture && <img class="glyph" src={option.picture} alt="" />}
        <span dir="auto">{option.label}</span>
        {option.detail && <span class="dim option-detail">{option.detail}</span>}
      </div>
    ))}
  </div>
);
