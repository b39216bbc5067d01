import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTempDir } from '../support/temp-dir.ts';
import { startTestApp, testConfig } from './start-test-app.ts';

test('a HOST that is no address of this machine is told with what to do', async () => {
  using dir = makeTempDir();
  const { server } = testConfig(dir.path);
  for (const [host, message] of [
    ['not a host', /^Can not listen on not a host: no address is known by this name \(E\w+\)\.$/],
    ['192.0.2.1', /^Can not listen on 192\.0\.2\.1, port 0 \(EADDRNOTAVAIL\)\.$/],
    // Without IPv6 (as in many containers) another reason than with it.
    ['fe80::1', /^Can not listen on fe80::1, port 0 \((EINVAL|EAFNOSUPPORT|EADDRNOTAVAIL)\)\.$/],
  ] as const)
    await assert.rejects(startTestApp(dir.path, { server: { ...server, host } }), {
      name: 'StartupError',
      message,
      remedy: /^Set HOST /,
    });
});
