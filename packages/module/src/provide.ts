// `node --import …/provide.ts`: for tests of a module that run outside the exchange.
import { provideModulePackage } from './resolve.ts';

provideModulePackage();
