import { useSignal } from '@preact/signals';

import { errorText } from '../../strings/errors.ts';

export interface Attempt {
  /** Why the last attempt failed; empty before, and after a success. */
  refusal: string;
  isBusy: boolean;
  /** Runs what a form does. Resolves with whether it succeeded. */
  readonly attempt: (act: () => Promise<unknown>) => Promise<boolean>;
}

/** Runs what a form does; answers with what is shown of it. */
export function useAttempt(): Attempt {
  const refusal = useSignal('');
  const isBusy = useSignal(false);
  const attempt = async (act: () => Promise<unknown>) => {
    refusal.value = '';
    isBusy.value = true;
    try {
      await act();
      return true;
    } catch (error) {
      refusal.value = errorText(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  return { refusal: refusal.value, isBusy: isBusy.value, attempt };
}
