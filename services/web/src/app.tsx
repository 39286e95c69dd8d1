import { ActionDialogs } from './actions/dialogs.tsx';
import { Menu } from './actions/menu.tsx';
import { EmojiPopover } from './emoji/pick.tsx';
import { KeyHelp } from './keys/key-help.tsx';
import { session, start } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Boundary } from './shell/boundary.tsx';
import { Shell } from './shell/shell.tsx';
import { Toasts } from './shell/toasts.tsx';
import { commonText } from './strings/common.ts';
import { sessionText } from './strings/session.ts';

/** The whole page: the session decides what is shown. */
export const App = () => (
  <>
    <Boundary>
      <Current />
    </Boundary>
    <Menu />
    <ActionDialogs />
    <EmojiPopover />
    <KeyHelp />
    <Toasts />
  </>
);

function Current() {
  const now = session.value;
  if (now.kind === 'signed-out') return <SignIn refusal={now.refusal} />;
  if (now.kind === 'member' || now.kind === 'spectator') return <Shell />;
  return <Starting error={now.kind === 'unreachable' ? now.error : null} />;
}

const Starting = ({ error }: { error: string | null }) =>
  error === null ? (
    <main class="starting" aria-busy="true">
      <p>{commonText.loading}</p>
    </main>
  ) : (
    <main class="starting">
      <h1>{sessionText.unreachable}</h1>
      <p>{error}</p>
      <button type="button" class="primary" onClick={() => void start()}>
        {commonText.tryAgain}
      </button>
    </main>
  );
