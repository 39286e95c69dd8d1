import { openMessage, receive } from './pushed.ts';
import type { WorkerScope } from './scope.ts';
import { ShellCache } from './shell.ts';

// Safe: only the script of the service worker begins here.
const scope = globalThis as unknown as WorkerScope;
const { SHELL_VERSION: version, SHELL_FILES: files } = import.meta.env;
const shell = new ShellCache(scope, { version, files });

scope.addEventListener('install', (event) => event.waitUntil(shell.install()));
scope.addEventListener('activate', (event) => event.waitUntil(shell.activate()));
scope.addEventListener('fetch', (event) => shell.answer(event));
scope.addEventListener('push', (event) => event.waitUntil(receive(scope, event.data?.text() ?? '')));
scope.addEventListener('notificationclick', (event) =>
  event.waitUntil(openMessage(scope, event.notification)),
);
