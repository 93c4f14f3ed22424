import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { bitsOf4, groupsOf6, inner4 } from './address-bits.ts';
import { createOwnAddresses } from './own-addresses.ts';

// Saved before a module can replace them: its code shares these objects.
const { apply } = Reflect;

/** The source address of a module's connections to this machine: services that treat 127.0.0.1 as local exclude it. */
const OWN_ADDRESS = '127.0.0.77';
/** 127.0.0.78 manages the engine: a module that used up the connections there could cut off the service. */
const ENGINE_ADDRESS = 0x7f_00_00_4e;
/** The system's code for a refused connection. */
const EACCES = -13;

type Native = Record<string, unknown>;
type Connect = (this: object, request: unknown, address: string, port: number) => number;
type SizeOf = (this: object, size: number, isReceived: boolean, context: object) => number | undefined;
type Bind = (this: object, address: string, port: number, flags?: number) => number;

/**
 * A module connects to others, but nothing connects to it: its routes are its only way in. Removed below all of Node's
 * APIs, on the prototypes that each of its connections has. Unix sockets belong to programs of this machine, including
 * the engine and databases: it opens none.
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
      // `::1` is the only address of its kind, so a module there could not be told from a local program.
      if (bits !== undefined && isLoopback(bits)) return EACCES;
      const isOurs = bits === undefined ? own.has6(groups) : own.has4(bits);
      if (isClosed(port) && isOurs) return EACCES;
      return apply(connect6, this, [request, address, port]);
    },
  });
  replace(pipe, { listen: refuse, bind: refuse, connect: refuse });
  // A socket that only sends is bound too, to any free port.
  const anyPort = (native: Bind) =>
    function (this: object, address: string, port: number, flags: number): number {
      return port === 0 ? apply(native, this, [address, port, flags]) : EACCES;
    };
  // Datagrams waiting in a socket use memory that calls need too: setting its buffer size only returns it.
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

/** Node keeps it in internal state of the socket. */
function datagramHandleOf(socket: object): object {
  const states = Object.getOwnPropertySymbols(socket).map((symbol) => Reflect.get(socket, symbol) as unknown);
  const state = states.find((one) => typeof one === 'object' && one !== null && 'handle' in one);
  return (state as { handle: object }).handle;
}

function replace(native: Native, by: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(by))
    Object.defineProperty(native, name, { value, writable: false, configurable: false });
}

/** 127.0.0.0/8, and 0.0.0.0/8, which also reaches this machine. */
function isLoopback(bits: number): boolean {
  return (bits >= 0x7f_00_00_00 && bits <= 0x7f_ff_ff_ff) || bits <= 0xff_ff_ff;
}

/** Below Node's own check, a larger number would wrap around, and an object could convert differently twice. */
const isPort = (port: unknown): port is number =>
  typeof port === 'number' && port >= 0 && port <= 65_535 && port % 1 === 0;
