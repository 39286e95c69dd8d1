import type { Ref } from 'preact';

interface FilterTextProps {
  label: string;
  /** What stands in the empty field, if that is not its label. */
  placeholder?: string;
  text: string;
  class?: string;
  field?: Ref<HTMLInputElement>;
  readonly onText: (text: string) => void;
}

/** A field whose text a list is filtered by, at each keystroke. */
export const FilterText = ({ label, placeholder = label, text, field, onText, ...rest }: FilterTextProps) => (
  <input
    {...rest}
    ref={field ?? null}
    dir="auto"
    type="search"
    aria-label={label}
    placeholder={placeholder}
    value={text}
    onInput={({ currentTarget }) => onText(currentTarget.value)}
  />
);

interface FilterChoiceProps<Choice extends string> {
  label: string;
  /** What can be shown, by its name. */
  choices: Readonly<Record<Choice, string>>;
  chosen: Choice;
  readonly onChoose: (choice: Choice) => void;
}

/** Chooses which kind of things a list shows. */
export const FilterChoice = <Choice extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: FilterChoiceProps<Choice>) => (
  <select
    aria-label={label}
    value={chosen}
    onChange={({ currentTarget }) => {
      // Its options are the choices.
      onChoose(currentTarget.value as Choice);
    }}
  >
    {Object.entries<string>(choices).map(([choice, name]) => (
      <option key={choice} value={choice}>
        {name}
      </option>
    ))}
  </select>
);
