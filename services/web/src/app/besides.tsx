import { useNotifications, usePageTitle } from '../features/notifications/index.ts';
import { Profile, StatusDialog, useReportedPresence } from '../features/people/index.ts';
import { Tour } from '../features/tour/index.ts';

/** What is over the columns, and what goes on beside them. */
export function Besides() {
  useReportedPresence();
  useNotifications();
  usePageTitle();
  return (
    <>
      <Profile />
      <StatusDialog />
      <Tour />
    </>
  );
}
