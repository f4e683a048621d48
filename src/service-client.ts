/** The client of image services for other programs: `import { connectService } from 'easel/service'`. docs/client.md */
import { ServiceClient, type ServiceOptions } from './service/client.ts';
import { findProfile } from './service/find-profile.ts';
import type { ProfileName } from './service/profiles.ts';
import { profileNamed } from './service/profiles.ts';
import type { Service } from './service/service.ts';

export { SERVICE_ERROR_KINDS, ServiceError, type ServiceErrorKind } from './service/errors.ts';
export type { ProfileName } from './service/profiles.ts';
export type {
	ChatMessage,
	ChatPart,
	ChatRequest,
	ComposeRequest,
	EditRequest,
	GenerateRequest,
	ImageResult,
	InputImage,
	OutputImage,
	Service,
} from './service/service.ts';

export type ConnectOptions = Pick<ServiceOptions, 'baseUrl' | 'apiKey' | 'headers' | 'timeoutMs' | 'models'> & {
	/** Which API the service has. Default: `auto`, by its address, or by requests that cost nothing. */
	profile?: ProfileName | 'auto';
};

/**
 * Returns a client of the service. One that does not say which API it has is asked as OpenAI's.
 *
 * @throws TypeError when the address or the key is invalid
 */
export async function connectService({ profile = 'auto', ...options }: ConnectOptions): Promise<Service> {
	const imageModels = [options.models.image];
	const name = await findProfile({ ...options, profile, imageModels }, new Map());
	return new ServiceClient({ ...options, profile: profileNamed(name ?? 'openai', { imageModels }) });
}
