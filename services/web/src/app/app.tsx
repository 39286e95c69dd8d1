import { Boundary } from '../base/dialogs/boundary.tsx';
import { Menu } from '../base/dialogs/menu.tsx';
import { Empty } from '../base/states/empty.tsx';
import { Toasts } from '../base/toasts/toasts.tsx';
import { session, start } from '../data/session/session.ts';
import { ActionDialogs } from '../features/actions/index.ts';
import { EmojiPopover } from '../features/emoji/index.ts';
import { commonText } from '../strings/common.ts';
import { sessionText } from '../strings/session.ts';
import { around } from './load-around.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in/sign-in.tsx';

/** The whole page: the session decides what is shown. */
export function App() {
  const parts = around();
  return (
    <>
      <Boundary>
        <Current />
      </Boundary>
      <Menu />
      <ActionDialogs />
      <EmojiPopover />
      {parts && <parts.Jump />}
      {parts && <parts.KeyHelp />}
      <Toasts />
    </>
  );
}

function Current() {
  const now = session.value;
  if (now.kind === 'signed-out') return <SignIn refusal={now.refusal} />;
  if (now.kind === 'member' || now.kind === 'spectator') return <Shell />;
  return <Starting error={now.kind === 'unreachable' ? now.error : null} />;
}

/** A word, which is not seen within a moment. */
const Beginning = () => (
  <main class="starting" aria-busy="true">
    <p class="starting-sign">{commonText.loading}</p>
  </main>
);

const Starting = ({ error }: { error: string | null }) =>
  error === null ? (
    <Beginning />
  ) : (
    <main class="starting">
      <h1>{sessionText.unreachable}</h1>
      <Empty drawing="cable" text={error} isRefusal>
        <button type="button" class="primary" onClick={() => void start()}>
          {commonText.tryAgain}
        </button>
      </Empty>
    </main>
  );
