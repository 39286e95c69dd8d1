import { Suspense, lazy } from 'preact/compat';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { shownDialog as shown } from '../../data/actions/shown-dialog.ts';
import { actionText, deletionText, moveText, readersText, reportText } from '../../strings/actions.ts';
import { channelMenuText } from '../../strings/channels.ts';
import { commonText } from '../../strings/common.ts';
import { dateText } from '../../strings/search.ts';

const DateDialog = lazy(async () => ({ default: (await import('./date-dialog.tsx')).DateDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));
const ColorDialog = lazy(async () => ({ default: (await import('./color-dialog.tsx')).ColorDialog }));
const MoveDialog = lazy(async () => ({ default: (await import('./move-dialog.tsx')).MoveDialog }));
const ReadersDialog = lazy(async () => ({ default: (await import('./readers-dialog.tsx')).ReadersDialog }));
const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));
const SourceDialog = lazy(async () => ({ default: (await import('./source-dialog.tsx')).SourceDialog }));
const TimeDialog = lazy(async () => ({ default: (await import('../unsent/index.ts')).TimeDialog }));

const titles = {
  delete: deletionText.title,
  readers: readersText.title,
  source: actionText.source,
  report: reportText.title,
  move: moveText.title,
  date: dateText.title,
  color: channelMenuText.colorTitle,
} as const;

/** The dialogs of what is done with messages, each loaded when it is asked for. */
export function ActionDialogs() {
  const dialog = shown.value;
  if (!dialog) return null;
  const close = () => void (shown.value = null);
  return (
    <Dialog title={dialog.kind === 'time' ? dialog.title : titles[dialog.kind]} onClose={close}>
      <Suspense fallback={<p class="dim">{commonText.loading}</p>}>
        {dialog.kind === 'delete' && <DeleteDialog message={dialog.message} onDone={close} />}
        {dialog.kind === 'readers' && <ReadersDialog message={dialog.message} />}
        {dialog.kind === 'report' && <ReportDialog message={dialog.message} onDone={close} />}
        {dialog.kind === 'source' && <SourceDialog message={dialog.message} />}
        {dialog.kind === 'move' && <MoveDialog moved={dialog.moved} onDone={close} />}
        {dialog.kind === 'date' && <DateDialog onDone={close} />}
        {dialog.kind === 'color' && <ColorDialog channelId={dialog.channelId} onDone={close} />}
        {dialog.kind === 'time' && (
          <TimeDialog hasNote={dialog.hasNote} onPick={dialog.onPick} onDone={close} />
        )}
      </Suspense>
    </Dialog>
  );
}
