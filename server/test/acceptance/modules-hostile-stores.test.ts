import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { builtin, outcomesIn } from '../hostile-attempts.ts';
import { useHostile } from '../hostile-rig.ts';
import { storePairs } from '../make-app.ts';
import type { RealRedis } from '../real/redis.ts';

const servers = storePairs.filter(({ available, name }) => available && name.includes('Redis'));

describe.each(servers)('a module does not reach the stores of the exchange, on $name', ({ open }) => {
  const rig = useHostile({}, open);
  const outcomes = outcomesIn(rig);
  const redis = () => rig.running.stores.redis as RealRedis;

  test('it cannot connect to the store by any spelling of this machine or by an overflowing port number', async () => {
    const { port } = redis();
    const connecting = (host: string) =>
      `const s = ${builtin('net')}.connect({ host: '${host}', port: ${port} }); return new Promise((resolve, reject) => s.on('error', reject).on('connect', () => resolve('open')))`;
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const mapped = own.flatMap(({ family, address }) =>
      family === 'IPv4' ? [`::ffff:${address}`, address] : [],
    );
    const all = await outcomes('Stores', {
      ...Object.fromEntries(
        ['127.0.0.1', '127.1.2.3', '0.0.0.0', '::ffff:127.0.0.1', '0::ffff:7f00:1', ...mapped].map((host) => [
          host,
          connecting(host),
        ]),
      ),
      cut: `const s = ${builtin('net')}.connect({ host: '127.0.0.1', port: 9 }); s.on('error', () => {});
        const code = new s._handle.constructor(0).connect({}, '127.0.0.1', ${port + 65_536}); if (code < 0) throw new Error(code); return code`,
    });
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^refused/);
  });

  test('it cannot bypass the connection check by replacing built-in functions', async () => {
    const { port } = redis();
    const connecting = `await new Promise((resolve, reject) => net.connect({ host: '127.0.0.1', port: ${port} }).on('error', reject).on('connect', () => resolve('open')))`;
    const replacing = (code: string) =>
      `const net = ${builtin('net')}; const kept = []; const put = (of, name, value) => { kept.push([of, name, of[name]]); of[name] = value; };
       try { ${code}; return ${connecting}; } finally { for (const [of, name, value] of kept.reverse()) of[name] = value; }`;
    const all = await outcomes('Replaces', {
      includes: replacing('put(Array.prototype, "includes", () => false)'),
      some: replacing('put(Array.prototype, "some", () => false)'),
      test: replacing(
        'put(RegExp.prototype, "test", () => false); put(RegExp.prototype, "exec", () => null)',
      ),
      texts: replacing(
        'put(String.prototype, "replace", () => "192.0.2.1"); put(String.prototype, "toLowerCase", () => "192.0.2.1")',
      ),
      interfaces: replacing(
        `put(${builtin('os')}, "networkInterfaces", () => ({})); ${builtin('module')}.syncBuiltinESMExports()`,
      ),
      stolen: `const net = ${builtin('net')}; const { call, apply } = Function.prototype; const { apply: reflected } = Reflect; const stolen = [];
        Function.prototype.call = function (...all) { stolen.push(this); return reflected(call, this, all); };
        Reflect.apply = (f, on, all) => { stolen.push(f); return reflected(f, on, all); };
        const s = net.connect({ host: '127.0.0.1', port: 9 }); const Handle = s._handle.constructor; await new Promise((resolve) => s.on('error', () => {}).on('close', resolve));
        Function.prototype.call = call; Reflect.apply = reflected;
        const native = stolen.find((f) => f.name === 'connect' && /native code/.test(String(f)));
        if (!native) throw new Error('nothing to steal'); return reflected(native, new Handle(0), [{}, '127.0.0.1', ${port}])`,
    });
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toMatch(/^refused/);
  });

  const outside = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.map(({ family, address, internal }, n) => ({ name, n, family, address, internal })),
  );
  const [first] = outside.filter(({ family, internal }) => family === 'IPv4' && !internal);

  test.skipIf(!first)('it cannot hide the addresses of this machine from the connection check', async () => {
    const { port } = redis();
    const { address = '', name = '' } = first ?? {};
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const groups = `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    /** `here` runs just before the access check, `after` right behind it. */
    const tried = (host: string, here: string, after: string) =>
      `const net = ${builtin('net')}; const connect = net.Socket.prototype; const s = net.connect({ host: '127.0.0.1', port: 9 }); s.on('error', () => {});
       const Handle = s._handle.constructor; await new Promise((resolve) => s.on('close', resolve));
       const handle = new Handle(0); let code; ${here}; try { code = handle.connect${host.includes(':') ? '6' : ''}({}, '${host}', ${port}); } catch (error) { code = error.message; } finally { ${after}; }
       if (code === -13) throw new Error('EACCES'); return code`;
    const put = (of: string, key: string, what: string) =>
      `Object.defineProperty(${of}, ${JSON.stringify(key)}, { ...${what}, enumerable: false, configurable: true })`;
    const gone = (of: string, key: string) => `delete ${of}[${JSON.stringify(key)}]`;
    const end = groups.length;
    const all = await outcomes('Swallows', {
      plain: tried(address, '', ''),
      behind: tried(
        groups,
        `String.prototype[${end}] = 'f'; String.prototype[${end + 1}] = ':'`,
        `delete String.prototype[${end}]; delete String.prototype[${end + 1}]`,
      ),
      list: tried(address, put('Object.prototype', name, '{ value: [] }'), gone('Object.prototype', name)),
      setter: tried(
        address,
        put('Object.prototype', name, '{ get: () => undefined, set() {} }'),
        gone('Object.prototype', name),
      ),
      places: tried(
        address,
        put('Array.prototype', '0', '{ get: () => undefined, set() {} }'),
        gone('Array.prototype', '0'),
      ),
      parent: tried(
        address,
        `const parent = Object.getPrototypeOf(Array.prototype); Object.setPrototypeOf(Array.prototype, { set 0(_) {}, set 1(_) {} })`,
        'Object.setPrototypeOf(Array.prototype, parent)',
      ),
    });
    for (const [way, outcome] of Object.entries(all)) expect(outcome, way).toBe('refused EACCES');
  });
});
