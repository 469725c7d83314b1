/** The queues of an account: https://developers.cloudflare.com/queues/ */
export interface Queue {
  readonly queue_id: string;
  queue_name: string;
  readonly created_on: string;
  settings: QueueSettings;
  readonly consumers: Consumer[];
  /** Messages that are not delivered yet, oldest first, except those that are retried later. */
  readonly messages: Message[];
}

export interface QueueSettings {
  /** Seconds. */
  delivery_delay: number;
  delivery_paused: boolean;
  /** Seconds, 60 to 1209600. */
  message_retention_period: number;
}

export interface Consumer {
  readonly consumer_id: string;
  readonly created_on: string;
  readonly type: 'worker';
  /** The name of the Worker. */
  readonly script: string;
  dead_letter_queue?: string;
  settings: ConsumerSettings;
}

export interface ConsumerSettings {
  batch_size: number;
  max_retries: number;
  max_wait_time_ms: number;
  max_concurrency: number | null;
  /** Seconds. */
  retry_delay: number;
}

export interface Message {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: unknown;
  attempts: number;
}
