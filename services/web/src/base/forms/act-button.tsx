import type { ComponentChildren } from 'preact';

import { showError } from '../toasts/toasts.tsx';
import { useAttempt } from './use-attempt.ts';

interface ActButtonProps {
  children: ComponentChildren;
  readonly act: () => Promise<unknown>;
  label?: string;
  class?: string;
  /** What the person is asked before. */
  confirm?: string | undefined;
  isDisabled?: boolean;
}

/** A button that sends a request. A toast shows a refusal. */
export function ActButton({
  children,
  act,
  label,
  class: name,
  confirm,
  isDisabled = false,
}: ActButtonProps) {
  const { isBusy, attempt } = useAttempt();
  return (
    <button
      type="button"
      class={name}
      aria-label={label}
      disabled={isBusy || isDisabled}
      onClick={() => {
        // oxlint-disable-next-line no-alert
        if (confirm !== undefined && !globalThis.confirm(confirm)) return;
        void attempt(() => act().catch(showError));
      }}
    >
      {children}
    </button>
  );
}
