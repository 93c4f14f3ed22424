// The service with a fake engine whose phones this program simulates. It reports the engine's requests.
import { serveFakeEngine } from '../service/fake-engine.ts';

await serveFakeEngine((engine) => {
  let moving: NodeJS.Timeout | undefined;
  let next = 0;
  const phone = (n: number) => ({
    address: `192.0.${2 + (n % 200)}.${10 + (n % 240)}`,
    userAgent: `Phone ${n % 7}`,
    rttMs: 5 + (next % 90),
  });
  return {
    commands: {
      '/asked': () => {},
      /** Registers a phone for nine of ten employees. */
      '/register': () =>
        engine.served.extensions.forEach(
          ({ number }, n) => void (n % 10 && engine.register(number, phone(n))),
        ),
      /** Changes this many registrations per second from now on. */
      '/move': (perSecond) => {
        clearInterval(moving);
        if (perSecond === 0) return;
        moving = setInterval(() => {
          const n = (++next * 7) % engine.served.extensions.length;
          engine.register(engine.served.extensions[n]?.number ?? '', phone(n));
        }, 1000 / perSecond);
      },
    },
    report: () => ({ asked: engine.asked, extensions: engine.served.extensions.length }),
    stop: () => clearInterval(moving),
  };
});
