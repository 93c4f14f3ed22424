import { expect, test } from 'vitest';
import { action, create, describeClass, list, type ResourceOptions, read, resource } from './decorators.ts';
import { defineModule } from './define-module.ts';
import type { Call, Context } from './description.ts';

const options: ResourceOptions = {
  path: '/pbxcore/api/v3/module-demo/tasks',
  permission: 'tasks',
  channels: ['bearer_token'],
  id: '\\d+',
};
const context = { id: 'Demo' } as Context;
const call = {} as Call;

// Node does not run decorator syntax and these tests are not compiled: decorators are applied by hand.
const method = (name: string, more = {}) =>
  ({ kind: 'method', name, static: false, private: false, ...more }) as ClassMethodDecoratorContext;
const asClass = { kind: 'class' } as ClassDecoratorContext;

class Tasks {
  readonly #context: Context;
  constructor(given: Context) {
    this.#context = given;
  }
  all() {
    return [this.#context.id];
  }
  one() {
    return undefined;
  }
  finish() {
    return 'done';
  }
}
list({ summary: 'All tasks' })(Tasks.prototype.all, method('all'));
read()(Tasks.prototype.one, method('one'));
action({ verb: 'POST', onItem: true })(Tasks.prototype.finish, method('finish'));
resource(options)(Tasks, asClass);

test('a decorated class gives the same description as one written without decorators', async () => {
  const described = describeClass(Tasks, context);
  const handle = expect.any(Function);
  expect(described).toEqual({
    ...options,
    list: { summary: 'All tasks', handle },
    read: { handle },
    actions: [{ name: 'finish', verb: 'POST', onItem: true, handle }],
  });
});

test('create and actions may take the raw body', () => {
  class Hooks {
    add({ raw }: Call) {
      return { length: raw.length };
    }
    take({ text }: Call) {
      return { text };
    }
  }
  create({ body: 'raw', maxBytes: 10 })(Hooks.prototype.add, method('add'));
  action({ verb: 'POST', body: 'raw' })(Hooks.prototype.take, method('take'));
  resource(options)(Hooks, asClass);
  const handle = expect.any(Function);
  expect(describeClass(Hooks, context)).toEqual({
    ...options,
    create: { body: 'raw', maxBytes: 10, handle },
    actions: [{ name: 'take', verb: 'POST', body: 'raw', handle }],
  });
});

test('handlers run as methods of one object, created with the context', () => {
  const { list: all } = describeClass(Tasks, context);
  expect(typeof all === 'object' && all.handle(call, context)).toEqual(['Demo']);
});

test('classes and plain descriptions can be combined in one module', () => {
  const plain = { ...options, path: '/pbxcore/api/v3/module-demo/plain', list: () => [] };
  const { resources, start } = defineModule({ resources: [Tasks, plain], start() {} })(context);
  expect(resources.map(({ path }) => path)).toEqual([options.path, plain.path]);
  expect(start).toBeTypeOf('function');
});

test('an inherited method is used unless the class overrides it', () => {
  class Base {
    all() {
      return ['base'];
    }
    add() {
      return {};
    }
  }
  list()(Base.prototype.all, method('all'));
  create()(Base.prototype.add, method('add'));
  class Own extends Base {
    override all() {
      return ['own'];
    }
  }
  list()(Own.prototype.all, method('all'));
  resource(options)(Own, asClass);
  const described = describeClass(Own, context);
  expect(typeof described.list === 'object' && described.list.handle(call, context)).toEqual(['own']);
  expect(described.create).toBeDefined();
});

test('mistakes are reported by name when the module is loaded', () => {
  class Bare {}
  expect(() => describeClass(Bare, context)).toThrow('class Bare has no @resource');
  class Twice {
    a() {
      return [];
    }
    b() {
      return [];
    }
  }
  list()(Twice.prototype.a, method('a'));
  list()(Twice.prototype.b, method('b'));
  resource(options)(Twice, asClass);
  expect(() => describeClass(Twice, context)).toThrow('class Twice has two methods with @list');
  expect(() => read()(Twice.prototype.a as never, method('a'))).toThrow('a is declared twice');
  const hidden = () => [];
  expect(() => list()(hidden, method('#hidden', { private: true }))).toThrow('must be a public method');
  expect(() => list()(hidden, method('all', { static: true }))).toThrow('must be a public method');
});
