import type { ComponentChildren } from 'preact';

import './forms.css';
import { useAttempt } from './use-attempt.ts';

interface FormProps {
  /** What the button says. */
  submit: string;
  /** Does it, with what was entered. What it throws is shown beside the button. */
  readonly act: (fields: FormData, form: HTMLFormElement) => Promise<unknown>;
  children?: ComponentChildren;
  isDisabled?: boolean;
  class?: string;
  label?: string;
}

/** A form that says what the server refuses. */
export function Form({ submit, act, children, isDisabled = false, class: name = '', label }: FormProps) {
  const { refusal, isBusy, attempt } = useAttempt();
  return (
    <form
      class={`form ${name}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void attempt(() => act(new FormData(form), form));
      }}
    >
      {children}
      <Refusal text={refusal} />
      <div>
        <button type="submit" class="primary" disabled={isBusy || isDisabled}>
          {submit}
        </button>
      </div>
    </form>
  );
}

export const Refusal = ({ text }: { text: string }) =>
  text === '' ? null : (
    <p class="refusal-text" role="alert">
      {text}
    </p>
  );

/** Returns the text that was entered in a field. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** The numbers that were chosen in a field of many. */
export const numbersOf = (fields: FormData, name: string): number[] => fields.getAll(name).map(Number);
