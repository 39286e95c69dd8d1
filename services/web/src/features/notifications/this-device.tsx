import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { ActButton } from '../../base/forms/act-button.tsx';
import { showToast } from '../../base/toasts/toasts.tsx';
import { momentOf } from '../../data/places/times.ts';
import { deviceText } from '../../strings/settings.ts';
import { device, isQuiet, pause, turnOff, turnOn } from './device.ts';
import { permission } from './permission.ts';
import { type NotifiedBrowser, listBrowsers, removeBrowser } from './push-service.ts';

const hourMs = 3_600_000;

/** Eight in the morning, as clocks show it here. */
function tomorrowMs(): number {
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(8, 0, 0, 0);
}

/** Whether this device notifies, in words, with what can be done about it; and the other devices that do. */
export const ThisDevice = () => (
  <fieldset class="settings-group">
    <legend>{deviceText.title}</legend>
    <State />
    <Browsers />
  </fieldset>
);

function State() {
  const { isOff, pausedUntilMs } = device.value;
  if (permission.value === null) return <p>{deviceText.unsupported}</p>;
  if (permission.value === 'denied') return <p>{deviceText.denied}</p>;
  if (permission.value === 'default' || isOff) {
    return (
      <Row text={deviceText.off}>
        <ActButton class="primary" act={turnOnHere}>
          {deviceText.turnOn}
        </ActButton>
      </Row>
    );
  }
  if (pausedUntilMs === null || !isQuiet()) return <TurnedOn />;
  return (
    <Row text={deviceText.pausedUntil(momentOf(pausedUntilMs / 1000))}>
      <ActButton act={() => pause(null)}>{deviceText.resume}</ActButton>
    </Row>
  );
}

function TurnedOn() {
  const isOnWhileClosed = device.value.browserId !== null;
  return (
    <>
      <Row text={isOnWhileClosed ? deviceText.on : deviceText.onWhileOpen}>
        {!isOnWhileClosed && <ActButton act={turnOnHere}>{deviceText.turnOnClosed}</ActButton>}
        <ActButton act={turnOff}>{deviceText.turnOff}</ActButton>
      </Row>
      <Row text={deviceText.pause}>
        <ActButton act={() => pause(Date.now() + hourMs)}>{deviceText.pauseHour}</ActButton>
        <ActButton act={() => pause(tomorrowMs())}>{deviceText.pauseTomorrow}</ActButton>
      </Row>
    </>
  );
}

const Row = ({ text, children }: { text: string; children: ComponentChildren }) => (
  <div class="setting-row">
    <div>{text}</div>
    <div>{children}</div>
  </div>
);

/** What a browser throws has names that nobody knows, and the page can notify all the same. */
async function turnOnHere(): Promise<void> {
  try {
    await turnOn();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    showToast(deviceText.noPushService, 'refusal');
  }
}

/** The browsers of the person that are registered, each with a button that ends that. */
function Browsers() {
  const listed = useSignal<readonly NotifiedBrowser[]>([]);
  const { browserId } = device.value;
  const load = async () => {
    listed.value = (await listBrowsers()).subscriptions;
  };
  useEffect(() => void load().catch(() => undefined), [browserId]);
  const others = listed.value.filter(({ id }) => id !== browserId);
  return (
    <>
      {others.map(({ id, name, registered_timestamp }) => (
        <Row key={id} text={deviceText.other(name || deviceText.browser, momentOf(registered_timestamp))}>
          <ActButton label={deviceText.endOf(name)} act={() => removeBrowser(id).then(load)}>
            {deviceText.turnOff}
          </ActButton>
        </Row>
      ))}
    </>
  );
}
