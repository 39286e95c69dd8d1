import type { ImportRefusal } from '@parley/client';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { byteSize } from '../../base/fields/byte-size.ts';
import { ActButton } from '../../base/forms/act-button.tsx';
import { showError, showToast } from '../../base/toasts/toasts.tsx';
import { nameOfUser } from '../../data/people/names.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { importText } from '../../strings/imports.ts';

import './imports.css';
import { isSameFile } from './archive-file.ts';
import { type ArchivePlan, PlanTables } from './archive-plan.tsx';
import { sendArchive, underway } from './archive-upload.ts';
import { failureOf, products } from './import-failure.ts';

const pollMs = 2000;

type Phase = 'fetching' | 'reading' | 'converting' | 'comparing' | 'importing';

interface Progress {
  phase: Phase;
  done: number;
  of: number;
  messages: number;
  per_second: number;
  seconds_left: number | null;
}

interface Import {
  id: number;
  user_id: number;
  file_name: string;
  bytes: number;
  received: number;
  upload_id: string | null;
  status: 'uploading' | 'planning' | 'planned' | 'importing' | 'done' | 'failed' | 'cancelled';
  created_at: number;
  progress: Progress | null;
  failure: string | null;
  failure_reason: ImportRefusal | null;
}

interface List {
  imports: Import[];
  max_archive_bytes: number;
}

interface Loaded {
  list: Signal<List | null>;
  readonly load: () => Promise<void>;
}

const isUnderway = ({ status }: Import) =>
  status === 'uploading' || status === 'planning' || status === 'planned' || status === 'importing';

/** Whether a worker does something, or is about to. */
const isWorkedOn = ({ status }: Import) => status === 'planning' || status === 'importing';

/** Loads the imports, and again every two seconds while the page is looked at and a worker is at work. */
function useImports(): Loaded {
  const list = useSignal<List | null>(null);
  const fetchList = async () => void (list.value = await connection().get<List>('/realm/imports'));
  const load = async () => await fetchList().catch(showError);
  useEffect(() => {
    void load();
    const timer = setInterval(() => {
      const isAwaited = list.peek()?.imports.some(isWorkedOn) ?? false;
      // The page says by itself that the server is away, and what was known stays until it is back.
      if (isAwaited && document.visibilityState === 'visible') fetchList().catch(() => undefined);
    }, pollMs);
    return () => clearInterval(timer);
  }, []);
  return { list, load };
}

/** Imports of archives into the organization: sent, planned, confirmed, watched, and what they have brought. */
export function Imports() {
  const { list, load } = useImports();
  const loaded = list.value;
  if (loaded === null) return null;
  const current = loaded.imports.find(isUnderway);
  const ended = loaded.imports.filter((one) => !isUnderway(one));
  return (
    <>
      <p>{importText.about}</p>
      {current === undefined && <Sources />}
      {current === undefined && loaded.max_archive_bytes === 0 && <p>{importText.off}</p>}
      {current === undefined && loaded.max_archive_bytes > 0 && (
        <Choose bytesMax={loaded.max_archive_bytes} begun={null} load={load} />
      )}
      {current && <Current one={current} bytesMax={loaded.max_archive_bytes} load={load} />}
      {ended.length > 0 && <h2>{importText.earlier}</h2>}
      <ul class="plain-list">
        {ended.map((one) => (
          <Ended key={one.id} one={one} />
        ))}
      </ul>
    </>
  );
}

function Sources() {
  const { slack, mattermost, rocketChat, zulip, parley, slackFiles } = importText;
  return (
    <details>
      <summary>{importText.sources}</summary>
      <ul>
        {[slack, mattermost, rocketChat, zulip, parley, slackFiles].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}

interface Step {
  one: Import;
  readonly load: () => Promise<void>;
}

/** A field for the archive. A file can be dropped onto any. */
function Choose({
  bytesMax,
  begun,
  load,
}: {
  bytesMax: number;
  begun: Import | null;
  readonly load: () => Promise<void>;
}) {
  const source = useSignal('');
  const send = (file: File | undefined) => {
    if (file === undefined) return;
    if (begun && !isSameFile(file, begun)) showToast(importText.otherFile(begun.file_name), 'refusal');
    else if (file.size > bytesMax) {
      showToast(importText.tooLarge(file.name, byteSize(bytesMax)), 'refusal');
    } else {
      const options = { source: source.value, onStep: () => void load() };
      void sendArchive(file, begun, options).catch(showError);
    }
  };
  const hint =
    begun === null
      ? importText.drop(byteSize(bytesMax))
      : importText.goOn(begun.file_name, byteSize(begun.received), byteSize(begun.bytes));
  return (
    <>
      {begun === null && <Product source={source} />}
      <label class="drop-field">
        {importText.choose}
        <span class="dim">{hint}</span>
        <input
          type="file"
          accept=".zip,.gz,.tgz,.tar,.jsonl,.archive,application/zip,application/gzip"
          onChange={({ currentTarget }) => {
            send(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </label>
    </>
  );
}

/** Which product an archive comes from, for those of which the content does not tell it. */
const Product = ({ source }: { source: Signal<string> }) => (
  <label>
    {importText.product}
    <select value={source.value} onChange={({ currentTarget }) => (source.value = currentTarget.value)}>
      <option value="">{importText.tellByContent}</option>
      {Object.entries(products).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** The import that is not over yet. */
function Current({ one, bytesMax, load }: Step & { bytesMax: number }) {
  return (
    <section aria-label={one.file_name}>
      {one.status === 'uploading' && underway.value && <Sending one={one} />}
      {one.status === 'uploading' && !underway.value && (
        <Choose bytesMax={bytesMax} begun={one} load={load} />
      )}
      {isWorkedOn(one) && <Working progress={one.progress} />}
      {one.status === 'planned' && <Planned one={one} load={load} />}
      {one.status !== 'importing' && (
        <ActButton
          confirm={importText.confirmCancel}
          act={async () => {
            underway.peek()?.pause();
            await connection().delete(`/realm/imports/${one.id}`);
            underway.value = null;
            await load();
          }}
        >
          {importText.cancel}
        </ActButton>
      )}
    </section>
  );
}

function Sending({ one }: { one: Import }) {
  const sent = underway.value;
  if (sent === null) return null;
  const arrived = importText.arrived(byteSize(sent.received), byteSize(one.bytes));
  return (
    <div class="row-actions">
      <progress aria-label={importText.uploading(one.file_name)} max={one.bytes} value={sent.received} />{' '}
      {arrived}
      <button type="button" onClick={sent.isPaused ? sent.resume : sent.pause}>
        {sent.isPaused ? importText.resume : importText.pause}
      </button>
    </div>
  );
}

function Working({ progress }: { progress: Progress | null }) {
  if (progress === null) return <p aria-live="polite">{importText.waiting}</p>;
  const { phase, done, of, messages, per_second: rate, seconds_left: left } = progress;
  return (
    <p>
      <span aria-live="polite">{importText[phase]}</span>{' '}
      <progress aria-label={importText[phase]} {...(of > 0 && { max: of, value: done })} />{' '}
      {messages > 0 && importText.pace(messages, rate)} {left !== null && left > 0 && importText.left(left)}
    </p>
  );
}

interface InFull {
  plan: ArchivePlan | null;
  report: ArchivePlan | null;
}

/** Loads what an import would bring, and what it has brought. */
function useInFull(id: number): InFull | null {
  const full = useSignal<InFull | null>(null);
  useEffect(() => {
    connection()
      .get<InFull>(`/realm/imports/${id}`)
      .then((loaded) => (full.value = loaded), showError);
  }, [id]);
  return full.value;
}

function Planned({ one, load }: Step) {
  const plan = useInFull(one.id)?.plan;
  if (!plan) return null;
  const { messages, people, channels } = plan;
  return (
    <>
      <PlanTables title={importText.planOf(one.file_name)} plan={plan} />
      {!plan.is_done && (
        <ActButton
          class="primary"
          confirm={importText.confirm(messages.created, people.created, channels.created)}
          act={async () => {
            await connection().post(`/realm/imports/${one.id}/confirm`);
            await load();
          }}
        >
          {importText.start}
        </ActButton>
      )}
    </>
  );
}

function Ended({ one }: { one: Import }) {
  const isOpen = useSignal(false);
  const { status, file_name: file } = one;
  return (
    <li>
      {importText.row(momentOf(one.created_at), nameOfUser(one.user_id), file)}{' '}
      {status === 'done' && <strong>{importText.done}</strong>}
      {status === 'failed' && <strong class="refusal-text">{importText.failed(failureOf(one))}</strong>}
      {status === 'cancelled' && <span class="dim">{importText.cancelled}</span>}{' '}
      {status === 'done' && (
        <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
          <summary>{importText.report}</summary>
          {isOpen.value && <Report one={one} />}
        </details>
      )}
    </li>
  );
}

function Report({ one }: { one: Import }) {
  const report = useInFull(one.id)?.report;
  if (!report) return null;
  const text = JSON.stringify(report, null, 2);
  return (
    <>
      <PlanTables title={importText.reportOf(one.file_name)} plan={report} />
      <a
        class="button"
        href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
        download={`import-${one.id}.json`}
      >
        {importText.download}
      </a>
    </>
  );
}
