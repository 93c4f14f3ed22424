// The service with a fake engine whose calls this program simulates: `/play?100` changes 100 calls per second.
import { serveFakeEngine } from '../service/fake-engine.ts';

const CALLS = 50;

await serveFakeEngine((engine) => {
  let playing: NodeJS.Timeout | undefined;
  let changes = 0;
  const party = (number: string, name: string) => ({ channel: `PJSIP/${number}-1`, number, name });
  for (let n = 0; n < CALLS; n++)
    engine.startLeg({
      id: `bench-${n}`,
      linkedId: `bench-${n}`,
      startedAt: Date.now(),
      answeredAt: Date.now(),
      source: party('201', 'Ann Example'),
      destination: party('202', 'Ben Example'),
      did: '',
    });
  return {
    commands: {
      '/play': (perSecond) => {
        clearInterval(playing);
        if (perSecond === 0) return;
        playing = setInterval(() => {
          const number = `+4930${String(++changes).padStart(8, '0')}`;
          engine.changeLeg(`bench-${changes % CALLS}`, { source: party(number, 'Ann Example') });
        }, 1000 / perSecond);
      },
    },
    report: () => ({ changes }),
    stop: () => clearInterval(playing),
  };
});
