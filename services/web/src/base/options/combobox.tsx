import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';

import { commonText } from '../../strings/common.ts';
import { OptionList } from './option-list.tsx';
import type { Suggestion } from './suggestion.ts';
import { useOptions } from './use-options.ts';

interface ComboboxProps {
  label: string;
  placeholder?: string;
  value: string;
  maxLength?: number;
  field?: RefObject<HTMLInputElement>;
  /** Whether the list stands below the field all the time, and not over what is there when something is typed. */
  isAlwaysShown?: boolean;
  /** Returns what fits to what was typed. Asked only while it is shown. */
  readonly options: () => readonly Suggestion[];
  readonly onText: (text: string) => void;
  onChoose(option: Suggestion): void;
  /** Enter, while nothing is suggested. */
  readonly onEnter?: () => void;
  readonly onEmptyBackspace?: () => void;
}

/** A field with a list of what can be chosen, by the pattern that screen readers know as a combobox. */
export function Combobox(props: ComboboxProps) {
  const { label, placeholder, value, maxLength, field, isAlwaysShown = false } = props;
  const { onText, onEnter, onEmptyBackspace } = props;
  const isShown = useSignal(false);
  const options = isShown.value || isAlwaysShown ? props.options() : [];
  const list = useOptions(options, choose);

  function choose(option: Suggestion): void {
    isShown.value = false;
    props.onChoose(option);
  }

  return (
    <div class={isAlwaysShown ? 'combobox with-list' : 'combobox'}>
      <input
        dir="auto"
        ref={field}
        role="combobox"
        autoComplete="off"
        aria-label={label}
        aria-expanded={list.isOpen}
        {...list.attributes}
        aria-controls={list.id}
        placeholder={placeholder}
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => {
          isShown.value = true;
          list.first();
          onText(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (list.onKeyDown(event)) return;
          if (event.key === 'ArrowDown') {
            isShown.value = true;
            event.preventDefault();
          } else if (event.key === 'Escape' && list.isOpen && !isAlwaysShown) {
            isShown.value = false;
            event.stopPropagation();
          } else if (event.key === 'Enter' && onEnter) {
            event.preventDefault();
            onEnter();
          } else if (event.key === 'Backspace' && value === '') onEmptyBackspace?.();
        }}
        onClick={() => (isShown.value = true)}
        onBlur={() => (isShown.value = false)}
      />
      {list.isOpen && (
        <OptionList
          id={list.id}
          label={commonText.suggestions}
          options={options}
          active={list.active}
          onChoose={choose}
        />
      )}
    </div>
  );
}
