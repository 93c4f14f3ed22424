import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { bitsOf4, groupsOf6, inner4 } from './address-bits.ts';
import { createOwnAddresses } from './own-addresses.ts';

// Kept before a module can put its own in their place: its code runs among the same objects.
const { apply } = Reflect;

/** Where a module's connections to this machine come from: whoever counts 127.0.0.1 as local does not count it. */
const OWN_ADDRESS = '127.0.0.77';
/** 127.0.0.78, where the engine is managed: a module that held all the places there could keep the service from its engine. */
const ENGINE_ADDRESS = 0x7f_00_00_4e;
/** What the system says when it refuses a connection. */
const EACCES = -13;

type Native = Record<string, unknown>;
type Connect = (this: object, request: unknown, address: string, port: number) => number;
type SizeOf = (this: object, size: number, isReceived: boolean, context: object) => number | undefined;
type Bind = (this: object, address: string, port: number, flags?: number) => number;

/**
 * A module connects to others, and others do not connect to it: its doors are its routes. Taken away below all that Node
 * offers for it, on what each of its connections is made of. Sockets that are files belong to programs of this machine,
 * the engine and databases among them: it opens none.
 */
export async function closeDoors(line: Socket, closedPorts: readonly number[]): Promise<void> {
  const own = createOwnAddresses();
  const pipe = nativeOf(handleOf(line));
  const socket = connect({ host: '127.0.0.1', port: 1 });
  const tcp = nativeOf(handleOf(socket));
  const datagrams = createSocket('udp4');
  const udp = nativeOf(datagramHandleOf(datagrams));
  // Before either has done anything.
  await Promise.all([once(socket.destroy(), 'close'), once(datagrams.close(), 'close')]);

  const bind = tcp.bind as Bind;
  const connect4 = tcp.connect as Connect;
  const connect6 = tcp.connect6 as Connect;
  const isClosed = (port: number) => {
    for (let n = 0; n < closedPorts.length; n++) if (closedPorts[n] === port) return true;
    return false;
  };
  replace(tcp, {
    listen: refuse,
    bind: refuse,
    bind6: refuse,
    connect(this: object, request: unknown, address: unknown, port: unknown) {
      const bits = typeof address === 'string' ? bitsOf4(address) : undefined;
      if (bits === undefined || bits === ENGINE_ADDRESS || !isPort(port)) return EACCES;
      const isLocal = isLoopback(bits);
      if (isClosed(port) && (isLocal || own.has4(bits))) return EACCES;
      const problem = isLocal ? apply(bind, this, [OWN_ADDRESS, 0]) : 0;
      return problem === 0 ? apply(connect4, this, [request, address, port]) : problem;
    },
    connect6(this: object, request: unknown, address: unknown, port: unknown) {
      const groups = typeof address === 'string' ? groupsOf6(address) : undefined;
      if (groups === undefined || !isPort(port)) return EACCES;
      const bits = inner4(groups);
      // `::1` is the only one of its kind, so nobody could tell a module there from a local program.
      if (bits !== undefined && isLoopback(bits)) return EACCES;
      const isOurs = bits === undefined ? own.has6(groups) : own.has4(bits);
      if (isClosed(port) && isOurs) return EACCES;
      return apply(connect6, this, [request, address, port]);
    },
  });
  replace(pipe, { listen: refuse, bind: refuse, connect: refuse });
  // A socket that only sends is bound too, to any port that is free.
  const anyPort = (native: Bind) =>
    function (this: object, address: string, port: number, flags: number): number {
      return port === 0 ? apply(native, this, [address, port, flags]) : EACCES;
    };
  // What waits in a socket is memory that calls need too: it has as much room as any, and a wish for more tells how much that is.
  const sizeOf = udp.bufferSize as SizeOf;
  replace(udp, {
    bind: anyPort(udp.bind as Bind),
    bind6: anyPort(udp.bind6 as Bind),
    bufferSize(this: object, _: number, isReceived: boolean, context: object): number | undefined {
      return apply(sizeOf, this, [0, isReceived, context]);
    },
  });
}

const refuse = (): number => EACCES;

const nativeOf = (handle: object): Native => Object.getPrototypeOf(handle) as Native;

const handleOf = (socket: Socket): object => (socket as unknown as { _handle: object })._handle;

/** Node keeps it in its own state of the socket. */
function datagramHandleOf(socket: object): object {
  const states = Object.getOwnPropertySymbols(socket).map((symbol) => Reflect.get(socket, symbol) as unknown);
  const state = states.find((one) => typeof one === 'object' && one !== null && 'handle' in one);
  return (state as { handle: object }).handle;
}

function replace(native: Native, by: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(by))
    Object.defineProperty(native, name, { value, writable: false, configurable: false });
}

/** 127.0.0.0/8, and 0.0.0.0/8, by which this machine is reached too. */
function isLoopback(bits: number): boolean {
  return (bits >= 0x7f_00_00_00 && bits <= 0x7f_ff_ff_ff) || bits <= 0xff_ff_ff;
}

/** Below Node's own check a larger number would be cut to another port, and an object asked for its number twice. */
const isPort = (port: unknown): port is number =>
  typeof port === 'number' && port >= 0 && port <= 65_535 && port % 1 === 0;
