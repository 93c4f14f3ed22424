import type { Engine } from '../../engine/engine.ts';
import type { MemberSwitched } from '../../engine/events.ts';

type Listener = (event: MemberSwitched) => void;

/**
 * Switches that members of queues made on their phones. The engine may report some, from a time when the service was
 * away, before their consumer is built: until then they are held here.
 */
export function createMemberSwitches(engine: Pick<Engine, 'listen'>) {
  const held: MemberSwitched[] = [];
  let listener: Listener | undefined;

  engine.listen((event) => {
    if (event.type !== 'member-switched') return;
    if (listener) listener(event);
    else held.push(event);
  });

  return {
    listen(hear: Listener): void {
      listener = hear;
      for (const event of held.splice(0)) hear(event);
    },
  };
}
