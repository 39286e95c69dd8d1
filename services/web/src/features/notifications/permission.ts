import { signal } from '@preact/signals';

/** Whether this browser lets the page notify people; null where it cannot. */
export const permission = signal<NotificationPermission | null>(
  'Notification' in globalThis ? Notification.permission : null,
);

/** Asks the person, who has pressed a button for it. */
export async function askPermission(): Promise<void> {
  permission.value = await Notification.requestPermission();
}
