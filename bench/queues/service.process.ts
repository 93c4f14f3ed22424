// The service with a fake engine whose phones and queue callers this program simulates. It reports the engine's
// requests.
import { serveFakeEngine } from '../service/fake-engine.ts';

await serveFakeEngine((engine) => {
  let moving: NodeJS.Timeout | undefined;
  let [next, asked] = [0, 0];
  const queues = () => engine.served.callFlow?.queues ?? [];
  const { queueStatuses } = engine;
  engine.queueStatuses = () => {
    asked++;
    return queueStatuses();
  };
  const DEVICES = ['ringing', 'inuse', 'free'] as const;
  return {
    commands: {
      '/asked': () => {},
      '/register': () => {
        for (const { number } of engine.served.extensions) engine.register(number);
      },
      /** Adds this many waiting callers, spread over the queues. */
      '/wait': (callers) => {
        for (let n = 0; n < callers; n++) {
          const queue = queues()[n % queues().length];
          const id = `1700000000.${n}`;
          engine.startLeg({
            id,
            linkedId: id,
            startedAt: Date.now() - n * 10,
            answeredAt: null,
            source: { channel: `PJSIP/P-${n}`, number: `+49170${1_000_000 + n}`, name: `Caller ${n}` },
            destination: {
              channel: `Queue:${queue?.number}`,
              number: queue?.number ?? '',
              name: queue?.name ?? '',
            },
            did: '4930111',
            application: 'queue',
            isApplication: true,
          });
        }
      },
      /** Changes this many members per second from now on. */
      '/move': (perSecond) => {
        clearInterval(moving);
        if (perSecond === 0) return;
        moving = setInterval(() => {
          const queue = queues()[(++next * 7) % queues().length];
          const number = queue?.members[next % queue.members.length]?.number ?? '';
          const device = DEVICES[next % DEVICES.length] ?? 'free';
          engine.changeMember(queue?.id ?? '', number, { device });
        }, 1000 / perSecond);
      },
    },
    report: () => ({ asked, queues: queues().length }),
    stop: () => clearInterval(moving),
  };
});
